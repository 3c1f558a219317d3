export {
  audienceOf,
  type Config,
  type EgressConfig,
  localUrl,
  metricsPortOffset,
  readConfig,
  readDatabaseConfig,
  readStripeSetupConfig,
  readVerifierConfig,
  type VerifierConfig,
} from './config.ts';
export { defaultOf } from './settings.ts';
