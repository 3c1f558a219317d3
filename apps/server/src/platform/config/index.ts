export {
  audienceOf,
  type Config,
  type EgressConfig,
  identityPortOffset,
  localUrl,
  metricsPortOffset,
  type RecoveryConfig,
  readConfig,
  readDatabaseConfig,
  readGraceDays,
  readIdentityAdminConfig,
  readIdentityConfig,
  readRecoveryConfig,
  readSecretConfig,
  readStripeConfig,
  readStripeSetupConfig,
  readVerifierConfig,
  type VerifierConfig,
} from './config.ts';
export { identityAdminClient, identityRealmAt, issuerBelow } from './embedded-identity.ts';
export { isLoopback } from './parsers.ts';
export { ConfigError } from './setting.ts';
export { defaultOf, settingNames } from './settings.ts';
