import * as parse from './parsers.ts';
import type { Setting } from './setting.ts';

const setting = <Value>(
  name: string,
  parseText: (text: string) => Value,
  words: Pick<Setting<Value>, 'meaning' | 'default' | 'otherwise' | 'note'>,
): Setting<Value> => ({ name, parse: parseText, ...words });

/** The whole configuration, in the order of docs/configuration.md. */
export const settings = {
  port: setting('PORT', parse.port, {
    meaning: 'Port of the API and the web app.',
    default: '3000',
    note: '`npm start`: or the next free range of ports',
  }),
  host: setting('HOST', parse.text, {
    meaning: 'Network address to listen on.',
    default: '127.0.0.1',
  }),
  publicUrl: setting('PUBLIC_URL', parse.origin, {
    meaning: 'Origin at which browsers reach the product.',
    otherwise: 'http://localhost:PORT',
  }),
  dataFolder: setting('ASSAY_DATA', parse.text, {
    meaning: 'Folder for the embedded parts’ data, and for files unless ASSAY_FILES says otherwise.',
    default: '.assay',
  }),
  files: setting('ASSAY_FILES', parse.filePlace, {
    meaning:
      'Where uploaded files wait: a folder, or `s3://bucket` or `s3://bucket/prefix` in an S3-compatible store. The same for every process.',
    otherwise: 'ASSAY_DATA/files',
  }),
  s3Endpoint: setting('S3_ENDPOINT', parse.serviceUrl, {
    meaning:
      'Address of the S3-compatible store, such as http://minio:9000; the bucket is then named in the path. Goes with ASSAY_FILES.',
    otherwise: 'Amazon S3',
  }),
  s3Region: setting('S3_REGION', parse.text, {
    meaning: 'Region that the bucket is in.',
    default: 'us-east-1',
  }),
  s3AccessKeyId: setting('S3_ACCESS_KEY_ID', parse.text, {
    meaning: 'Access key for the bucket. Goes with S3_SECRET_ACCESS_KEY.',
    otherwise: 'what Amazon’s tools would use: AWS_* variables, a profile, the machine’s role',
  }),
  s3SecretAccessKey: setting('S3_SECRET_ACCESS_KEY', parse.text, {
    meaning: 'Secret of that access key. Goes with S3_ACCESS_KEY_ID.',
    otherwise: 'none',
  }),
  webApp: setting('ASSAY_WEB_APP', parse.folderOrNone, {
    meaning: 'Folder of the built web app, or `none` where something else serves it.',
    otherwise: 'what `npm run build` builds',
  }),
  stage: setting('ASSAY_STAGE', parse.oneOf('production', 'staging'), {
    meaning: '`staging` shows Warm Up.',
    default: 'production',
  }),
  secret: setting('ASSAY_SECRET', parse.secret, {
    meaning:
      'Key material for hashing, encryption and signing, at least 32 bytes, without commas, the same in every process. Losing it makes what was encrypted unreadable.',
  }),
  previousSecrets: setting('ASSAY_PREVIOUS_SECRETS', parse.listOf(parse.secret), {
    meaning:
      'Secrets that ASSAY_SECRET replaced, comma-separated, which still read what was made with them. See operations.md for changing the secret.',
    otherwise: 'none',
  }),
  backupKey: setting('ASSAY_BACKUP_KEY', parse.backupKey, {
    meaning:
      'Key of backups, as age writes keys: age1… only makes backups, AGE-SECRET-KEY-1… also restores them. Keep the second one apart from the backups and from this machine.',
    otherwise: 'ASSAY_DATA/backup-key, created by the first backup',
  }),
  databaseUrl: setting('DATABASE_URL', parse.postgresUrl, {
    meaning: 'Address of the PostgreSQL database, version 15 or later.',
  }),
  databaseDirectUrl: setting('DATABASE_DIRECT_URL', parse.postgresUrl, {
    meaning:
      'Address of the same database without the pooler, where DATABASE_URL leads to one that pools transactions, such as PgBouncer. Used for LISTEN, session locks, migrations and backups.',
    otherwise: 'DATABASE_URL',
  }),
  databaseReplicaUrl: setting('DATABASE_REPLICA_URL', parse.postgresUrl, {
    meaning:
      'Address of one streaming replica of the same database, for exports and charts. The API reads there what the replica has replayed already, and all else from the primary.',
    otherwise: 'none: all reads go to the primary',
  }),
  databasePoolSize: setting('DATABASE_POOL_SIZE', parse.wholeNumber({ min: 2, max: 500 }), {
    meaning: 'Connections that one process may hold.',
    default: '10',
  }),
  oidcIssuer: setting('OIDC_ISSUER', parse.issuerUrl, {
    meaning: 'OpenID Connect issuer, letter by letter as it names itself; https, or loopback.',
  }),
  oidcAudience: setting('OIDC_AUDIENCE', parse.text, {
    meaning: 'Audience that access tokens must carry.',
    otherwise: 'PUBLIC_URL/api',
  }),
  oidcClientId: setting('OIDC_CLIENT_ID', parse.text, {
    meaning: 'The web app’s client id at the issuer.',
    default: 'assay-web',
  }),
  oidcTokenTypes: setting('OIDC_TOKEN_TYPES', parse.listOf(parse.oneOf('at+jwt', 'jwt')), {
    meaning:
      'How the issuer marks access tokens in the header `typ`; `jwt` for Keycloak and Auth0 as they come.',
    default: 'at+jwt, jwt',
  }),
  oidcAdminKind: setting('OIDC_ADMIN_KIND', parse.oneOf('keycloak', 'auth0'), {
    meaning:
      'Kind of provider, for what OpenID Connect has no calls for: new passwords and deleting accounts.',
    otherwise: 'none: passwords cannot be changed, and deleting leaves the account at the provider',
  }),
  oidcAdminUrl: setting('OIDC_ADMIN_URL', parse.issuerUrl, {
    meaning: 'The realm of Keycloak, such as https://host/realms/name, or the tenant of Auth0.',
    otherwise: 'OIDC_ISSUER',
  }),
  oidcAdminClientId: setting('OIDC_ADMIN_CLIENT_ID', parse.text, {
    meaning: 'Client that may manage users there. Goes with OIDC_ADMIN_KIND.',
    otherwise: 'none',
  }),
  oidcAdminClientSecret: setting('OIDC_ADMIN_CLIENT_SECRET', parse.text, {
    meaning: 'Secret of that client.',
    otherwise: 'none',
  }),
  oidcAdminConnection: setting('OIDC_ADMIN_CONNECTION', parse.text, {
    meaning: 'Database connection of Auth0, in which passwords live.',
    default: 'Username-Password-Authentication',
  }),
  identityUrl: setting('IDENTITY_URL', parse.origin, {
    meaning:
      'Where `assay identity` listens, such as http://127.0.0.1:3001. The API serves its pages below PUBLIC_URL/identity, which is then OIDC_ISSUER unless given, and manages its accounts.',
    otherwise: 'none: the identity provider is another one',
  }),
  identityPort: setting('IDENTITY_PORT', parse.port, {
    meaning: 'Port of `assay identity`.',
    otherwise: 'PORT + 1',
  }),
  identityHost: setting('IDENTITY_HOST', parse.text, {
    meaning: 'Network address of `assay identity`; let only the API, or your proxy, reach it.',
    default: '127.0.0.1',
  }),
  operatorClaim: setting('ASSAY_OPERATOR_CLAIM', parse.claim, {
    meaning:
      'Claim of access tokens that gives the operator role `admin`, as `name=value`, such as `roles=assay-operator`; the claim may be a list. Never an address or a name that people choose.',
    otherwise: 'none: the role is given with `assay operators add`',
  }),
  supportClaim: setting('ASSAY_SUPPORT_CLAIM', parse.claim, {
    meaning: 'The same for the operator role `support`.',
    otherwise: 'none',
  }),
  clientKey: setting('ASSAY_CLIENT_KEY', parse.text, {
    meaning: 'The web app’s public `x-api-key`. It names the client and opens nothing.',
    default: 'assay-web',
  }),
  docsUrl: setting('ASSAY_DOCS_URL', parse.pathOrWebUrl, {
    meaning: 'Where the sidebar’s API item leads.',
    default: '/docs',
  }),
  analyticsUrl: setting('ASSAY_ANALYTICS_URL', parse.webUrl, {
    meaning: 'Where the web app posts page views.',
    otherwise: 'none: no analytics',
  }),
  trustedProxies: setting('TRUSTED_PROXIES', parse.listOf(parse.addressRange), {
    meaning: 'Addresses or CIDR ranges, comma-separated, whose X-Forwarded-* headers are believed.',
    otherwise: 'none',
  }),
  bodyLimitBytes: setting('BODY_LIMIT_BYTES', parse.wholeNumber({ min: 1_024, max: 16_777_216 }), {
    meaning: 'Largest JSON body taken. Uploads have limits of their own.',
    default: '65536',
  }),
  requestsPerAddress: setting('RATE_LIMIT_PER_ADDRESS', parse.wholeNumber({ min: 1, max: 1_000_000 }), {
    meaning:
      'API requests per minute from one network address, in all processes together. Per process and ten seconds: an eighth as many files of the web app, a 48th as many pages of the documentation.',
    default: '12000',
  }),
  requestsPerCustomer: setting('RATE_LIMIT_PER_CUSTOMER', parse.wholeNumber({ min: 1, max: 1_000_000 }), {
    meaning: 'API requests per minute of one customer, signed in or by key, in all processes together.',
    default: '6000',
  }),
  connectionsPerAddress: setting('CONNECTIONS_PER_ADDRESS', parse.wholeNumber({ min: 1, max: 1_000_000 }), {
    meaning:
      'Open connections from one network address that is not in TRUSTED_PROXIES, per process. All together, a process accepts four fifths of its file limit.',
    otherwise: 'a tenth of all connections, at least 128 and at most 512',
  }),
  downloadsPerCustomer: setting('DOWNLOADS_PER_CUSTOMER', parse.wholeNumber({ min: 1, max: 1_000 }), {
    meaning: 'Exports that one customer may download at the same time, per process.',
    default: '5',
  }),
  waitsPerCustomer: setting('WAITS_PER_CUSTOMER', parse.wholeNumber({ min: 1, max: 100_000 }), {
    meaning:
      'Calls of one customer that may wait for a verdict (`wait=`), per process. Further calls answer at once.',
    default: '500',
  }),
  drainSeconds: setting('SHUTDOWN_DRAIN_SECONDS', parse.wholeNumber({ min: 0, max: 3_600 }), {
    meaning:
      'When asked to stop, how long to go on serving while /health/ready says 503, so that load balancers notice.',
    default: '0',
  }),
  socketsPerCustomer: setting('REALTIME_SOCKETS_PER_CUSTOMER', parse.wholeNumber({ min: 1, max: 10_000 }), {
    meaning: 'Open realtime sockets (tabs) of one customer, per process.',
    default: '20',
  }),
  metricsPort: setting('METRICS_PORT', parse.port, {
    meaning: 'Port of the Prometheus metrics.',
    otherwise: 'PORT + 9',
  }),
  workerMetricsPort: setting('WORKER_METRICS_PORT', parse.port, {
    meaning: 'Port of a worker’s Prometheus metrics; workers on one machine take one each.',
    otherwise: 'METRICS_PORT + 1',
  }),
  metricsHost: setting('METRICS_HOST', parse.text, {
    meaning: 'Network address of the metrics; keep it off the internet.',
    default: '127.0.0.1',
  }),
  traceEndpoint: setting('OTEL_EXPORTER_OTLP_ENDPOINT', parse.serviceUrl, {
    meaning: 'Collector of OpenTelemetry traces, such as http://localhost:4318 (OTLP over HTTP, JSON).',
    otherwise: 'none: nothing is traced',
  }),
  tracePercent: setting('ASSAY_TRACE_PERCENT', parse.wholeNumber({ min: 1, max: 100 }), {
    meaning: 'Which part of the requests is traced. Goes with OTEL_EXPORTER_OTLP_ENDPOINT.',
    default: '100',
  }),
  logLevel: setting('LOG_LEVEL', parse.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), {
    meaning: 'How much is logged: fatal, error, warn, info, debug, trace or silent.',
    default: 'info',
    note: '`npm start`: warn',
  }),
  commit: setting('ASSAY_COMMIT', parse.text, {
    meaning: 'The commit shown in /version.json.',
    otherwise: 'what git says of the working tree',
  }),
  smtpRelayUrl: setting('SMTP_RELAY_URL', parse.smtpUrl, {
    meaning: 'Relay for our own mail, such as smtp://user:password@mail.example:587.',
    otherwise: 'none: the embedded identity trusts addresses, and no mail tells of complete lists',
  }),
  supportMailTo: setting('SUPPORT_MAIL_TO', parse.mailAddress, {
    meaning: 'Mailbox to which customers’ requests to be called are sent. Goes with SMTP_RELAY_URL.',
    otherwise: 'none: they are only listed by `assay support list`',
  }),
  supportMailFrom: setting('SUPPORT_MAIL_FROM', parse.mailAddress, {
    meaning: 'Sender of that mail, and of mails about complete lists.',
    otherwise: 'no-reply@ the host of PUBLIC_URL',
  }),
  supportWebhookUrl: setting('SUPPORT_WEBHOOK_URL', parse.webUrl, {
    meaning: 'Address to which customers’ requests to be called are posted, signed by the Standard Webhooks.',
    otherwise: 'none',
  }),
  supportWebhookSecret: setting('SUPPORT_WEBHOOK_SECRET', parse.webhookSecret, {
    meaning: 'Signing secret of those posts: whsec_ and base64. Goes with SUPPORT_WEBHOOK_URL.',
    otherwise: 'none',
  }),
  stripeSecretKey: setting('STRIPE_SECRET_KEY', parse.text, {
    meaning: 'Secret key of the Stripe account that plans are paid through.',
    otherwise: 'none: plans cannot be bought',
  }),
  stripeWebhookSecret: setting('STRIPE_WEBHOOK_SECRET', parse.text, {
    meaning:
      'Signing secret of the webhook at PUBLIC_URL/api/billing/webhooks/stripe. Goes with STRIPE_SECRET_KEY.',
    otherwise: 'none',
  }),
  stripeApiUrl: setting('STRIPE_API_URL', parse.origin, {
    meaning: 'Origin of Stripe’s API.',
    default: 'https://api.stripe.com',
  }),
  paymentGraceDays: setting('PAYMENT_GRACE_DAYS', parse.wholeNumber({ min: 0, max: 365 }), {
    meaning: 'Days that a failed payment may stay unpaid before the plan becomes Free.',
    default: '14',
  }),
  mailboxTokenKeys: setting('MAILBOX_TOKEN_KEYS', parse.listOf(parse.secret), {
    meaning:
      'Keys that mailbox tokens are encrypted with, comma-separated, each at least 32 bytes: the first encrypts, all decrypt. See warm-up.md for changing them.',
    otherwise: 'ASSAY_SECRET',
  }),
  googleClientId: setting('GOOGLE_CLIENT_ID', parse.text, {
    meaning: 'OAuth client at Google through which Gmail mailboxes are connected for Warm Up.',
    otherwise: 'none: Gmail mailboxes cannot be connected',
  }),
  googleClientSecret: setting('GOOGLE_CLIENT_SECRET', parse.text, {
    meaning: 'Secret of that client. Goes with GOOGLE_CLIENT_ID.',
    otherwise: 'none',
  }),
  googleAuthorizationUrl: setting('GOOGLE_AUTHORIZATION_URL', parse.secureUrl, {
    meaning: 'Where Google asks for consent.',
    default: 'https://accounts.google.com/o/oauth2/v2/auth',
  }),
  googleTokenUrl: setting('GOOGLE_TOKEN_URL', parse.secureUrl, {
    meaning: 'Where Google gives tokens.',
    default: 'https://oauth2.googleapis.com/token',
  }),
  googleRevocationUrl: setting('GOOGLE_REVOCATION_URL', parse.secureUrl, {
    meaning: 'Where Google takes them back.',
    default: 'https://oauth2.googleapis.com/revoke',
  }),
  googleProfileUrl: setting('GOOGLE_PROFILE_URL', parse.secureUrl, {
    meaning: 'Where Gmail tells whose mailbox it is.',
    default: 'https://gmail.googleapis.com/gmail/v1/users/me/profile',
  }),
  microsoftClientId: setting('MICROSOFT_CLIENT_ID', parse.text, {
    meaning: 'OAuth client at Microsoft through which its mailboxes are connected for Warm Up.',
    otherwise: 'none: Microsoft mailboxes cannot be connected',
  }),
  microsoftClientSecret: setting('MICROSOFT_CLIENT_SECRET', parse.text, {
    meaning: 'Secret of that client. Goes with MICROSOFT_CLIENT_ID.',
    otherwise: 'none',
  }),
  microsoftAuthorizationUrl: setting('MICROSOFT_AUTHORIZATION_URL', parse.secureUrl, {
    meaning: 'Where Microsoft asks for consent; replace `common` by a tenant to admit only that one.',
    default: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
  }),
  microsoftTokenUrl: setting('MICROSOFT_TOKEN_URL', parse.secureUrl, {
    meaning: 'Where Microsoft gives tokens.',
    default: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
  }),
  microsoftProfileUrl: setting('MICROSOFT_PROFILE_URL', parse.secureUrl, {
    meaning: 'Where Microsoft Graph tells whose mailbox it is.',
    default: 'https://graph.microsoft.com/v1.0/me',
  }),
  microsoftConsentUrl: setting('MICROSOFT_CONSENT_URL', parse.webUrl, {
    meaning: 'Where people withdraw a consent at Microsoft, which has no call for it.',
    default: 'https://myapps.microsoft.com/',
  }),
  uploadBytesMax: setting('UPLOAD_BYTES_MAX', parse.wholeNumber({ min: 1_024, max: 1_099_511_627_776 }), {
    meaning: 'Largest file that may be uploaded.',
    default: '268435456',
  }),
  uploadRowsMax: setting('UPLOAD_ROWS_MAX', parse.wholeNumber({ min: 1, max: 100_000_000 }), {
    meaning: 'Most rows that an uploaded file may have.',
    default: '2000000',
  }),
  uploadsPerCustomer: setting('UPLOADS_PER_CUSTOMER', parse.wholeNumber({ min: 1, max: 1_000 }), {
    meaning: 'Files and JSON lists above 64 kB that one customer may send at the same time, per process.',
    default: '5',
  }),
  uploadStoreBytes: setting('UPLOAD_STORE_BYTES', parse.wholeNumber({ min: 1_024, max: 1_099_511_627_776 }), {
    meaning: 'Room for one customer’s files, which are kept for a day, verified or not.',
    default: '1073741824',
  }),
  freeGrantsPerDomain: setting('FREE_CREDITS_PER_DOMAIN', parse.wholeNumber({ min: 0, max: 1_000_000 }), {
    meaning:
      'New customers of one mail domain that get free credits in 24 hours without an operator. Mail providers such as gmail.com have no such limit, disposable domains get none.',
    default: '3',
  }),
  guessTriesMax: setting('GUESS_TRIES_MAX', parse.wholeNumber({ min: 1, max: 16 }), {
    meaning: 'Most addresses that are asked for to guess one person.',
    default: '8',
  }),
  guessRowsMax: setting('GUESS_ROWS_MAX', parse.wholeNumber({ min: 1, max: 50_000 }), {
    meaning: 'Most rows that a file of people may have.',
    default: '5000',
  }),
  guessesPerDomain: setting('GUESS_PEOPLE_PER_DOMAIN', parse.wholeNumber({ min: 1, max: 1_000_000 }), {
    meaning: 'People guessed at one domain in a day, by all customers together.',
    default: '300',
  }),
  guessesPerCustomerDomain: setting(
    'GUESS_PEOPLE_PER_DOMAIN_AND_CUSTOMER',
    parse.wholeNumber({ min: 1, max: 1_000_000 }),
    { meaning: 'People guessed at one domain in a day by one customer.', default: '100' },
  ),
  egress: setting('ASSAY_EGRESS', parse.name, {
    meaning:
      'Name of the network address that a worker’s connections come from. Workers behind one address share the name, and with it the limits that mail hosts are asked to bear.',
    default: 'default',
  }),
  egresses: setting('ASSAY_EGRESSES', parse.egresses, {
    meaning:
      'Several egress addresses instead of one, comma-separated: `name=192.0.2.1` for an address of this machine or `name=socks5://user:password@host:port`, then `;helo=…`, `;mail_from=…`, `;address=…` (the public address), `;weight=…` (1 to 100) and `;connections=…` as needed.',
    otherwise: 'one, named by ASSAY_EGRESS',
  }),
  egressAddress: setting('ASSAY_EGRESS_ADDRESS', parse.ipAddress, {
    meaning: 'Public IP address that mail hosts see, for the health check behind NAT.',
    otherwise: 'the address that connections leave from, if it is public',
  }),
  egressTargets: setting('ASSAY_EGRESS_TARGETS', parse.hostNames, {
    meaning: 'Mail hosts at which the health check tries port 25, comma-separated, or `none`.',
    default: 'gmail-smtp-in.l.google.com,mx01.mail.icloud.com,mta5.am0.yahoodns.net',
  }),
  blockLists: setting('ASSAY_BLOCK_LISTS', parse.hostNames, {
    meaning: 'DNS block lists that the health check asks, comma-separated, or `none`.',
    default: 'zen.spamhaus.org,bl.spamcop.net,b.barracudacentral.org',
  }),
  helo: setting('ASSAY_HELO', parse.text, {
    meaning: 'Host name that the verifier introduces itself by; should resolve to its address.',
    otherwise: 'the machine’s name',
  }),
  mailFrom: setting('ASSAY_MAIL_FROM', parse.text, {
    meaning: 'Sender that the verifier names; should be able to take mail.',
    otherwise: 'verify@ASSAY_HELO',
  }),
  dns: setting('ASSAY_DNS', parse.hostAndPort, {
    meaning: 'DNS server that the verifier asks, as host:port.',
    otherwise: 'the system’s resolvers',
  }),
  smtpPort: setting('ASSAY_SMTP_PORT', parse.port, {
    meaning: 'Port on which the verifier reaches mail hosts.',
    default: '25',
  }),
  allowRanges: setting('ASSAY_ALLOW_RANGES', parse.listOf(parse.addressRangeAtPort), {
    meaning:
      'Private ranges that the verifier may connect to, comma-separated, each CIDR or CIDR@port. All others are refused.',
    otherwise: 'none',
  }),
  sandboxDns: setting('ASSAY_SANDBOX_DNS', parse.hostAndPort, {
    meaning:
      'DNS server of the mail world that answers test keys and calls with `sandbox=true`, as host:port; `assay mail-world` starts one.',
    otherwise: 'none: such calls are refused',
  }),
  sandboxRanges: setting('ASSAY_SANDBOX_RANGES', parse.listOf(parse.addressRangeAtPort), {
    meaning: 'Where the mail hosts of that world are, each CIDR@port. Goes with ASSAY_SANDBOX_DNS.',
    otherwise: 'none',
  }),
  webhookAllowRanges: setting('WEBHOOK_ALLOW_RANGES', parse.listOf(parse.addressRangeAtPort), {
    meaning:
      'Private ranges that customers’ webhooks may be sent to, comma-separated, each CIDR or CIDR@port, also by plain http. All others are refused. To try a receiver on your own machine: 127.0.0.1/32@8000, with the port that it listens on.',
    otherwise: 'none',
  }),
} as const;

/** The default of a setting, as text, for `npm start`, which needs some before it reads the whole configuration. */
export const defaultOf = (name: keyof typeof settings): string => settings[name].default ?? '';

export const settingNames: readonly string[] = Object.values(settings).map(({ name }) => name);
