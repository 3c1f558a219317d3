import { randomUUID } from 'node:crypto';
import { API_BASE } from '@assay/contract';
import { grantCredits } from '../../apps/server/src/features/billing/index.ts';
import type { TokenClaims } from '../../apps/server/src/testing/issuer.ts';
import type { Operation } from './operations.ts';
import type { AttackedProduct } from './product.ts';
import type { Caller } from './request.ts';
import type { Told } from './samples.ts';
import { type Answer, sendHttp } from './send.ts';

const toldMax = 5;

/** A new customer with an API key and every feature, and the ids that the product has returned so far. */
export class Customer {
  readonly claims: TokenClaims;
  readonly userId: string;
  readonly token: string;
  readonly #product: AttackedProduct;
  readonly #told = new Map<string, string[]>();
  #apiKey = '';

  private constructor(product: AttackedProduct, who: { claims: TokenClaims; userId: string; token: string }) {
    this.#product = product;
    this.claims = who.claims;
    this.userId = who.userId;
    this.token = who.token;
  }

  /** With the credits of a new account, or with exactly these. */
  static async signUp(product: AttackedProduct, credits?: number): Promise<Customer> {
    const sub = randomUUID();
    const claims = {
      sub,
      email: `${sub}@example.com`,
      // Only verified addresses get free credits.
      email_verified: credits === undefined,
      given_name: 'Ada',
      family_name: 'Assayer',
      identities: ['email'],
      auth_time: Math.floor(Date.now() / 1_000),
    };
    const token = await product.issuer.tokenFor(claims);
    const headers = { authorization: `Bearer ${token}` };
    const answer = await sendHttp(product.target, { method: 'GET', path: `${API_BASE}/users/me`, headers });
    const { id: userId } = read(answer) as { id: string };
    const customer = new Customer(product, { claims, userId, token });
    await product.database.pool.query('update accounts set guessing_enabled = true where id = $1', [userId]);
    if (credits) await customer.#grant(credits);
    const made = await customer.send('POST', '/users/api-keys');
    customer.#apiKey = (read(made) as { api_token: string }).api_token;
    customer.#remember('url', product.receiverUrl);
    customer.#remember('coupon_id', product.couponCode);
    return customer;
  }

  get told(): Told {
    return this.#told;
  }

  headersOf(caller: Caller): Record<string, string> {
    if (caller === 'bearer') return { authorization: `Bearer ${this.token}` };
    return caller === 'key' ? { 'x-api-key': this.#apiKey } : {};
  }

  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer | null> {
    return sendHttp(this.#product.target, {
      method,
      path: `${API_BASE}${path}`,
      headers: {
        ...this.headersOf('bearer'),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
    });
  }

  /** Records ids and links, so that later requests can use them. */
  learn({ route }: Operation, answer: Answer | null): void {
    if (!answer || answer.status >= 300 || answer.body.length === 0) return;
    const told = read(answer) as Record<string, unknown>;
    for (const name of ['upload_id', 'download_link'] as const) {
      if (typeof told[name] === 'string') this.#remember(name, told[name]);
    }
    if (route.method === 'POST' && typeof told.id === 'string') this.#remember(route.path, told.id);
    if (route.method !== 'GET' || !Array.isArray(told.results)) return;
    for (const { id } of told.results.slice(0, toldMax))
      if (typeof id === 'string') this.#remember(route.path, id);
  }

  #remember(name: string, value: string): void {
    const values = (this.#told.get(name) ?? []).filter((known) => known !== value);
    this.#told.set(name, [value, ...values].slice(0, toldMax));
  }

  async #grant(credits: number): Promise<void> {
    await this.#product.database.db.transaction().execute((tx) =>
      grantCredits(tx, {
        ownerId: this.userId,
        key: `operator:${randomUUID()}`,
        credits,
        category: 'GRANT',
        source: 'SUPPORT',
        description: 'A few credits',
        now: new Date(),
      }),
    );
  }
}

/** The JSON of an answer; throws if there is none. */
export function read(answer: Answer | null): unknown {
  if (!answer) throw new Error('A call that prepares the attack got no answer.');
  try {
    return JSON.parse(answer.body.toString());
  } catch (cause) {
    throw new Error(`Expected JSON, got ${answer.status} ${answer.body.toString().slice(0, 200)}`, { cause });
  }
}
