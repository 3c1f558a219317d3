import { randomUUID } from 'node:crypto';

export const TRACE_HEADER = 'x-trace-id';

/** Ours alone: an id that a caller could choose would let them write into other people's traces. */
export const newTraceId = (): string => randomUUID().replaceAll('-', '');
