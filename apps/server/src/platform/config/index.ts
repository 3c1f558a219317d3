export {
  audienceOf,
  type Config,
  localUrl,
  metricsPortOffset,
  readConfig,
  readDatabaseConfig,
  readStripeSetupConfig,
} from './config.ts';
export { defaultOf } from './settings.ts';
