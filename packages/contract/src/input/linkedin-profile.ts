import { NAME_PARTICLES, NAME_TITLES } from './name-words.ts';
import { countGivenNames } from './split-name.ts';

/** A name parsed from the URL of a profile. */
export interface ProfileName {
  readonly first_name: string;
  readonly last_name: string;
}

/** Longer than any profile URL. */
export const LINKEDIN_URL_LENGTH_MAX = 500;

export const LINKEDIN_URL_NOT_READABLE_TEXT =
  'No name can be read from this profile address. Enter the first and last name instead.';

const profilePath = /^\/(?:in|pub)\/([^/]+)/;

/**
 * Parses first and last name from the URL of a LinkedIn profile, such as linkedin.com/in/jan-van-der-berg-1a2b3c4d.
 * Fetches nothing. Returns null if it is not a profile URL, or if it does not contain a name in at least two parts.
 */
export function readLinkedinProfile(address: string): ProfileName | null {
  const slug = slugOf(address.trim());
  if (slug === null) return null;
  const words = slug
    .normalize('NFC')
    .split(/[-_.\s]+/)
    // LinkedIn adds a number to names that several people have.
    .filter((word) => word !== '' && !/\d/.test(word) && !NAME_TITLES.has(word.toLowerCase()));
  if (words.length < 2 || !words.every(isName)) return null;
  const givenCount = countGivenNames(words);
  const [first = '', ...given] = words.slice(0, givenCount);
  return {
    first_name: [capitalise(first), ...given.map(inLowerCaseIfParticle)].join(' '),
    last_name: words.slice(givenCount).map(inLowerCaseIfParticle).join(' '),
  };
}

function slugOf(address: string): string | null {
  if (address.length > LINKEDIN_URL_LENGTH_MAX) return null;
  try {
    const url = new URL(/^https?:\/\//i.test(address) ? address : `https://${address}`);
    if (!/(^|\.)linkedin\.com$/.test(url.hostname)) return null;
    const slug = profilePath.exec(url.pathname)?.[1];
    return slug === undefined ? null : decodeURIComponent(slug);
  } catch {
    return null;
  }
}

const isName = (word: string): boolean => /^[\p{L}\p{M}'’]+$/u.test(word);

const capitalise = (word: string): string => {
  const [first = '', ...rest] = word;
  return first.toUpperCase() + rest.join('').toLowerCase();
};

const inLowerCaseIfParticle = (word: string): string =>
  NAME_PARTICLES.has(word.toLowerCase()) ? word.toLowerCase() : capitalise(word);
