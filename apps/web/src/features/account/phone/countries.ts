import {
  AsYouType,
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parseDigits,
} from 'libphonenumber-js/min';

const countryNames = new Intl.DisplayNames('en', { type: 'region' });

/** Every country with its calling code, by name, as a list to choose from. */
export const countryOptions = getCountries()
  .map((country) => ({
    value: country,
    label: `${countryNames.of(country) ?? country} (+${getCountryCallingCode(country)})`,
  }))
  .sort((one, other) => one.label.localeCompare(other.label, 'en'));

function readTyped(phone: string): AsYouType {
  const typed = new AsYouType();
  typed.input(phone.trim());
  return typed;
}

/**
 * The country of a number that may not be finished. Several share a calling code, and the first digits do not tell them
 * apart: until they do, it is the one that was chosen.
 */
export function countryOf(phone: string, chosen: CountryCode | ''): CountryCode | '' {
  const typed = readTyped(phone);
  const told = typed.getCountry();
  if (told) return told;
  const isChosen = chosen !== '' && typed.getCallingCode() === getCountryCallingCode(chosen);
  return isChosen ? chosen : '';
}

/** The same number in another country: only the calling code changes. */
export function moveToCountry(phone: string, country: CountryCode): string {
  const oldCode = readTyped(phone).getCallingCode() ?? '';
  const national = parseDigits(phone).slice(oldCode.length);
  return `+${getCountryCallingCode(country)} ${national}`;
}
