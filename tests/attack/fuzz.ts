import { Customer } from './customer.ts';
import { generateRequest } from './generate.ts';
import { judge } from './judge.ts';
import type { AttackedProduct } from './product.ts';
import { type AttackRequest, describeRequest } from './request.ts';
import { type Answer, sendHttp, sendRaw } from './send.ts';

export interface FuzzOptions {
  readonly seed: number;
  /** Number of the first request, and how many there are. */
  readonly first: number;
  readonly count: number;
  /** Called for every fault. */
  readonly onFault: (fault: string) => void;
}

export interface FuzzReport {
  readonly sent: number;
  readonly byStatus: ReadonlyMap<number, number>;
  /** Names of operations that succeeded at least once, so that the shape of a success was checked too. */
  readonly succeeded: ReadonlySet<string>;
  /** Requests in flight. */
  underWay(): string[];
}

/** Simultaneous connections, each as a different customer. */
const attackers = 4;
/** Credits run out, so each customer is replaced after this many requests. */
const requestsPerCustomer = 250;

/** Sends generated requests and checks every answer. */
export function startFuzzing(
  product: AttackedProduct,
  options: FuzzOptions,
): FuzzReport & { done: Promise<void> } {
  const byStatus = new Map<number, number>();
  const succeeded = new Set<string>();
  const underWay = new Map<number, AttackRequest>();
  const state = { next: options.first, sent: 0 };

  const attack = async () => {
    let customer = await Customer.signUp(product);
    let sentAsCustomer = 0;
    while (state.next < options.first + options.count) {
      const index = state.next++;
      const request = generateRequest(options.seed, index, customer.told);
      underWay.set(index, request);
      const answers = await send(product, customer, request);
      underWay.delete(index);
      state.sent += 1;
      sentAsCustomer += 1;
      for (const { status } of answers) byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
      for (const fault of judge(request, answers)) {
        options.onFault(`seed ${options.seed}, request ${index}: ${fault}\n  ${describeRequest(request)}`);
      }
      const [answer] = answers;
      if (request.kind === 'http' && request.operation) {
        customer.learn(request.operation, answer ?? null);
        if (answer && answer.status < 400) succeeded.add(request.operation.name);
      }
      if (isLost(request, answer) || sentAsCustomer >= requestsPerCustomer) {
        customer = await Customer.signUp(product);
        sentAsCustomer = 0;
      }
    }
  };
  const done = Promise.all(Array.from({ length: Math.min(attackers, options.count) }, attack)).then(
    () => undefined,
  );
  return {
    done,
    byStatus,
    succeeded,
    get sent() {
      return state.sent;
    },
    underWay: () => [...underWay].map(([index, request]) => `request ${index}: ${describeRequest(request)}`),
  };
}

async function send(product: AttackedProduct, customer: Customer, request: AttackRequest): Promise<Answer[]> {
  const headers = customer.headersOf(request.caller);
  if (request.kind === 'raw') {
    const text = request.bytes.toString('latin1').replaceAll('{authorization}', headers.authorization ?? '');
    return sendRaw(product.target, { ...request, bytes: Buffer.from(text, 'latin1') });
  }
  const answer = await sendHttp(product.target, { ...request, headers: { ...headers, ...request.headers } });
  return answer ? [answer] : [];
}

/** The customer deleted their own account, token or key with a request. */
const isLost = (request: AttackRequest, answer: Answer | undefined): boolean =>
  request.kind === 'http' &&
  request.caller !== 'nobody' &&
  request.operation !== null &&
  (answer?.status === 401 ||
    (request.method === 'DELETE' && answer?.status === 204 && request.path.endsWith('/users/me')));
