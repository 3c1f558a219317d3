export { type ObjectStore, type ObjectStoreOptions, startObjectStore } from './object-store.ts';
