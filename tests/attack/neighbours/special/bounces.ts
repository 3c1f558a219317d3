import { hostileBounces } from '../../../../packages/verifier/src/bounces/testing/hostile-mails.ts';
import { Customer } from '../../customer.ts';
import { sendHttp } from '../../send.ts';
import type { Action } from '../action.ts';

/** The largest body that the call takes. */
const bytesMax = 1_048_576;

/** One customer asks what hostile mails mean, in turn. */
const hostileMails: Action = {
  name: 'hostile-mails',
  what: 'hostile mails to explain: nesting, parts, headers and lines of 1 MB each',
  operations: ['bounces.explain'],
  connections: 5,
  prepare: async (scene) => {
    const product = scene.fromElsewhere();
    const customer = await Customer.signUp(product);
    const bodies = Object.values(hostileBounces).map((text) => Buffer.from(text).subarray(0, bytesMax));
    const headers = { ...customer.headersOf('bearer'), 'content-type': 'message/rfc822' };
    let next = 0;
    return {
      turn: async () => {
        const body = bodies[next % bodies.length] as Buffer;
        next += 1;
        const path = '/api/bounces/explain';
        const answer = await sendHttp(product.target, { method: 'POST', path, headers, body });
        return answer?.status ?? null;
      },
    };
  },
};

export const bounceActions: readonly Action[] = [hostileMails];
