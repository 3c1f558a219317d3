export const PHONE_REQUIRED_TEXT = 'Phone number required';

/** A plus sign alone is the start of a number, not a number. */
export const isPhoneMissing = (phone: string): boolean => ['', '+'].includes(phone.trim());
