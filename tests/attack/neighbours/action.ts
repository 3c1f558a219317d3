import type { AttackedProduct } from '../product.ts';
import type { BigList } from './big-list.ts';

/** Something that costs a stranger little and may slow others down. */
export interface Action {
  readonly name: string;
  /** What the stranger does, in a few words. */
  readonly what: string;
  /** The calls of the contract that it makes. */
  readonly operations: readonly string[];
  /** The routes outside the contract that it calls, such as `GET /docs/openapi.json`. */
  readonly otherRoutes?: readonly string[];
  /** How many turns run at the same time. */
  readonly connections: number;
  /** Makes what the turns need, before anything is measured. */
  prepare(scene: Scene): Promise<Abuse>;
}

export interface Abuse {
  /** One call or a short series. Returns the status, or null without an answer. */
  turn(moment: Moment): Promise<number | null>;
  /** After each phase: ends what would go on by itself, such as open connections. */
  rest?(): Promise<void>;
  /** After the last phase. */
  end?(): Promise<void>;
}

/** When a turn begins. */
export interface Moment {
  /** The phase, from 0. */
  readonly phase: number;
  /** The part of all abuse that is over, from 0 to below 1. */
  readonly progress: number;
}

/** How often a stranger works while the neighbour measures, and rests in between. */
export const phaseCount = 4;

/** Where the actions take place. */
export interface Scene {
  readonly product: AttackedProduct;
  /** The origin of the embedded identity provider. */
  readonly identityUrl: string;
  /** The product as seen from a network address that no one else has. */
  fromElsewhere(): AttackedProduct;
  /** A complete list of a stranger, made once for all actions that need one. */
  bigList(): Promise<BigList>;
}
