export {
  audienceOf,
  type Config,
  localUrl,
  metricsPortOffset,
  readConfig,
  readDatabaseConfig,
  readStripeSetupConfig,
  readVerifierConfig,
  type VerifierConfig,
} from './config.ts';
export { defaultOf } from './settings.ts';
