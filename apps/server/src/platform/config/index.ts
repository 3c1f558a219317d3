export { type Config, readConfig, readDatabaseConfig, readStripeSetupConfig } from './config.ts';
