import type { FeedRefusal } from '@assay/contract';

/** A call of a sender, with what its proof needs. Crosses to a reading thread. */
export interface FeedCall {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The address as the sender knows it. */
  readonly url: string;
  /** The present secret, and the previous one as long as it is good. */
  readonly secrets: readonly string[];
  readonly nowMs: number;
}

/** A signature that can carry any events, so that it must not be used for others. */
export interface SingleUse {
  readonly token: string;
  readonly keptUntilMs: number;
}

export type Proof =
  | { readonly refusal: FeedRefusal; readonly singleUse?: undefined }
  | { readonly refusal?: undefined; readonly singleUse?: SingleUse };

export const refused = (refusal: FeedRefusal): Proof => ({ refusal });
