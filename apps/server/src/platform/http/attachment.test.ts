import { expect, it } from 'vitest';
import { attachment } from './attachment.ts';

it.each([
  ['spring - valid emails', 'spring - valid emails.csv', 'spring%20-%20valid%20emails.csv'],
  ['Frühling', 'Fr_hling.csv', 'Fr%C3%BChling.csv'],
  ["Jane's (new) list*", "Jane's (new) list_.csv", 'Jane%27s%20%28new%29%20list_.csv'],
  ['../a\\b"c\r\nx: y', '.._a_b_c__x_ y.csv', '.._a_b_c__x_%20y.csv'],
  ['half \ud800', 'half _.csv', 'half%20%EF%BF%BD.csv'],
])('saves %j as "%s"', (name, plain, encoded) => {
  expect(attachment(name, 'csv')).toBe(`attachment; filename="${plain}"; filename*=UTF-8''${encoded}`);
});
