import { parseAddress } from '@assay/verifier';
import { AddressReader } from '../files/address-reader.ts';

const reader = new AddressReader();

/** 32 bits of a hash of an address, the same for all spellings that the engine takes for one; undefined for another text. */
export const addressKey = (email: string): number | undefined =>
  reader.read(email) ? reader.low : undefined;

/** The spelling in which the engine compares addresses. */
export function comparedAddress(email: string): string | undefined {
  const address = parseAddress(email);
  return address.ok ? address.mailbox.toLowerCase() : undefined;
}
