import * as z from 'zod/mini';
import { repeated } from '../repeated.ts';
import { addressFlagSchema, verdictSchema } from '../verdicts.ts';

/** The most reasons and providers that one call filters by. */
const FILTER_VALUES_MAX = 50;

/** Which addresses of a list are meant. Values of one filter are alternatives; an address must match all filters. */
export const emailFilterFields = {
  /** A part of the address. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(254))),
  status: z.optional(repeated(verdictSchema)),
  reason: z.optional(repeated(z.string().check(z.maxLength(40)), FILTER_VALUES_MAX)),
  flag: z.optional(repeated(addressFlagSchema)),
  mx_provider: z.optional(repeated(z.string().check(z.maxLength(254)), FILTER_VALUES_MAX)),
};
