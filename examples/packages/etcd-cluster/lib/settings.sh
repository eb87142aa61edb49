# The configuration of install, stored for the other hooks. Source after hook.sh. The schema in wharf.json
# allows no value that needs quotes here.
settings_wanted() {
  cluster_name=$(text_of config.clusterName)
  peer_port=$(text_of config.peerPort)
  alertmanager_port=$(text_of config.alertmanagerPort)
  token_days=$(text_of config.tokenDays)
  cat <<END
cluster_name=${cluster_name:-etcd-cluster}
peer_port=${peer_port:-2380}
alertmanager_port=${alertmanager_port:-9093}
token_days=${token_days:-3650}
END
}

# Changes with every file of $prefix, so that unchanged files are not copied again.
fingerprint() { cat debs/*.deb node/* | sha256sum | cut -d ' ' -f 1; }
