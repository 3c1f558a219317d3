import { readDefaultZone } from '@assay/mail-world';
import { phaseCount } from './action.ts';

/** Domains of one phase. The engine remembers hosts that do not answer, so each phase needs new ones. */
const domainsPerPhase = 24;
const hostsPerDomain = 20;

const numbers = Array.from({ length: phaseCount * domainsPerPhase }, (_, number) => number);
const hostsOf = (number: number): string[] =>
  Array.from({ length: hostsPerDomain }, (_, host) => `mx${host}.silent-${number}.test`);

/** A domain whose many hosts accept connections and never speak. */
export const silentDomain = (phase: number, turn: number): string =>
  `silent-${phase * domainsPerPhase + (turn % domainsPerPhase)}.test`;
/** A domain whose host answers each command late. */
export const slowDomain = (phase: number, turn: number): string =>
  `slow-${phase * domainsPerPhase + (turn % domainsPerPhase)}.test`;
/** A domain whose name servers never answer. */
export const unansweredDomain = (phase: number, turn: number): string =>
  `unanswered-${phase * domainsPerPhase + (turn % domainsPerPhase)}.test`;

/** The shipped zone and these domains. */
export function hostileZone(): string {
  const silent = numbers.flatMap((number) => [
    ...hostsOf(number).map((host) => `host ${host} at banner hang`),
    `domain silent-${number}.test mx ${hostsOf(number)
      .map((host, index) => `${10 + index}:${host}`)
      .join(' ')}; accepts user*`,
  ]);
  const slow = numbers.map(
    (number) =>
      `domain slow-${number}.test accepts user*; at banner wait 4s; at ehlo wait 4s; at mail wait 4s; at rcpt wait 4s`,
  );
  const unanswered = numbers.map((number) => `domain unanswered-${number}.test dns timeout`);
  return [readDefaultZone(), ...silent, ...slow, ...unanswered].join('\n');
}
