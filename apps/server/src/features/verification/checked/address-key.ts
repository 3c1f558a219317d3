import { AddressReader } from '../files/address-reader.ts';

const reader = new AddressReader();

/** 32 bits of a hash of an address, the same for all spellings that the engine takes for one; undefined for another text. */
export const addressKey = (email: string): number | undefined =>
  reader.read(email) ? reader.low : undefined;

/** The spelling in which the engine compares addresses, and the key of their hash. */
export const comparedAddress = (
  email: string,
): { readonly key: number; readonly address: string } | undefined =>
  reader.read(email) ? { key: reader.low, address: reader.normal } : undefined;
