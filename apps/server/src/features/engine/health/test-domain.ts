/** `.test` is reserved for testing: such a domain has no owner. */
export const isTestDomain = (domain: string): boolean => domain.toLowerCase().endsWith('.test');
