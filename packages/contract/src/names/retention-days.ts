/** The choices of a customer besides keeping everything. */
export const RETENTION_DAYS = [7, 30, 90] as const;
export type RetentionDays = (typeof RETENTION_DAYS)[number];
