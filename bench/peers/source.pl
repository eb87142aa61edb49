# Serves one file at minimal cost, so that the bench measures the client.
# Prints its port. perl source.pl FILE
use strict;
use warnings;
use IO::Socket::INET;

my ($file) = @ARGV;
my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 8) or die $!;
$| = 1;
print $server->sockport, "\n";
while (my $client = $server->accept) {
  while (my $line = <$client>) { last if $line =~ /^\r?\n$/ }
  open my $bytes, '<:raw', $file or die $!;
  syswrite $client, "HTTP/1.1 200 OK\r\nContent-Length: " . (-s $bytes) . "\r\nConnection: close\r\n\r\n";
  while (sysread $bytes, my $piece, 1 << 20) {
    for (my $at = 0; $at < length $piece;) { $at += syswrite($client, $piece, length($piece) - $at, $at) // last }
  }
  close $client;
}
