import { describe, expect, it } from 'vitest';
import { readLinkedinProfile } from './linkedin-profile.ts';

describe('name from a LinkedIn profile URL', () => {
  it.each([
    ['https://www.linkedin.com/in/jane-doe', 'Jane', 'Doe'],
    ['https://www.linkedin.com/in/jane-doe/', 'Jane', 'Doe'],
    ['linkedin.com/in/jane-doe-1a2b3c4d', 'Jane', 'Doe'],
    ['https://de.linkedin.com/in/JANE-DOE-12345?trk=people', 'Jane', 'Doe'],
    ['https://www.linkedin.com/in/jan-van-der-berg-77', 'Jan', 'van der Berg'],
    ['https://www.linkedin.com/in/j%C3%BCrgen-m%C3%BCller', 'Jürgen', 'Müller'],
    ['https://www.linkedin.com/in/dr-jane-doe-phd-mba', 'Jane', 'Doe'],
    ['https://www.linkedin.com/in/maria-garcia-lopez/en', 'Maria', 'Garcia Lopez'],
    ['https://www.linkedin.com/in/jose-maria-de-la-cruz-1a2b', 'Jose Maria', 'de la Cruz'],
    ['https://www.linkedin.com/in/maria-del-carmen-lopez', 'Maria del Carmen', 'Lopez'],
    ['https://www.linkedin.com/pub/jane-doe/1/2b/3c4', 'Jane', 'Doe'],
    ["https://www.linkedin.com/in/kate-o'neill", 'Kate', "O'neill"],
    ['  https://www.linkedin.com/in/jane_doe  ', 'Jane', 'Doe'],
  ])('%s is %s %s', (address, first_name, last_name) => {
    expect(readLinkedinProfile(address)).toEqual({ first_name, last_name });
  });

  it.each([
    ['a name in one piece, which could be cut anywhere', 'https://www.linkedin.com/in/janedoe'],
    ['a number only', 'https://www.linkedin.com/in/1a2b3c4d'],
    ['a company', 'https://www.linkedin.com/company/acme-works'],
    ['another site', 'https://linkedin.com.example.com/in/jane-doe'],
    ['a site that only ends alike', 'https://notlinkedin.com/in/jane-doe'],
    ['a broken escape', 'https://www.linkedin.com/in/jane-%E0%A4%A'],
    ['signs that no name has', 'https://www.linkedin.com/in/jane-%3Cdoe%3E'],
    ['no address', 'jane doe'],
    ['nothing', ''],
    ['more than any address', `https://www.linkedin.com/in/jane-${'d'.repeat(600)}`],
  ])('nothing is read off %s', (_what, address) => {
    expect(readLinkedinProfile(address)).toBeNull();
  });
});
