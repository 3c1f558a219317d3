export * from './call-fields.ts';
export * from './operations.ts';
export * from './parameters.ts';
export * from './schema-fields.ts';
export * from './schema-names.ts';
export { COMMON_FIELD_WORDS } from './shared-fields.ts';
