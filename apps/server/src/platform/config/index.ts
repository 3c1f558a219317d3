export {
  audienceOf,
  type Config,
  type EgressConfig,
  localUrl,
  metricsPortOffset,
  type RecoveryConfig,
  readConfig,
  readDatabaseConfig,
  readGraceDays,
  readIdentityAdminConfig,
  readRecoveryConfig,
  readSecretConfig,
  readStripeConfig,
  readStripeSetupConfig,
  readVerifierConfig,
  type VerifierConfig,
} from './config.ts';
export { defaultOf, settingNames } from './settings.ts';
