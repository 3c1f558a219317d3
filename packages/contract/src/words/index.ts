export * from './fields.ts';
export * from './operations.ts';
export * from './parameters.ts';
export * from './schema-names.ts';
