// Required by all processes and threads of a product that is to have no network: the system refuses to connect to the broadcast address
// at once, as it does where it has no route to its resolver.
const dns = require('node:dns');
const { syncBuiltinESMExports } = require('node:module');

dns.setServers(['255.255.255.255']);
// Else modules that import functions of node:dns by name would have those of the resolver before.
syncBuiltinESMExports();
