# The configuration that install was given, as it is kept for the other hooks. After hook.sh. The schema in wharf.json
# admits nothing that would need quotes here.
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

# Changes with anything that is put into $prefix, so that what is there already need not be put there again.
fingerprint() { cat debs/*.deb node/* | sha256sum | cut -d ' ' -f 1; }
