export { type Config, readConfig, readDatabaseConfig } from './config.ts';
