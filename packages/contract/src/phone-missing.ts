export const PHONE_REQUIRED_TEXT = 'Phone number required';

/** A plus sign alone is what is left when somebody begins to type, and no number yet. */
export const isPhoneMissing = (phone: string): boolean => ['', '+'].includes(phone.trim());
