/** What some work asked a provider. */
export interface ProviderBill {
  /** Recipients asked about, with the proofs and controls. */
  questions: number;
  /** Of them, names that cannot exist, which find out whether a domain accepts everything. */
  proofs: number;
  /** Of them, mailboxes whose answer we know, which find out whether a refusal means anything. */
  controls: number;
  /** Answers: recipients that the provider does not know, and replies that block us. */
  unknown: number;
  blocked: number;
}

/** Counts what some work asks, by provider. Its owner takes the counts whenever it writes results. */
export class QuestionBill {
  #byProvider = new Map<string, ProviderBill>();

  note(provider: string, kind: keyof ProviderBill): void {
    let bill = this.#byProvider.get(provider);
    if (bill === undefined) {
      bill = { questions: 0, proofs: 0, controls: 0, unknown: 0, blocked: 0 };
      this.#byProvider.set(provider, bill);
    }
    bill[kind] += 1;
  }

  /** The counts since the last call. */
  take(): ReadonlyMap<string, ProviderBill> {
    const taken = this.#byProvider;
    if (taken.size > 0) this.#byProvider = new Map();
    return taken;
  }
}
