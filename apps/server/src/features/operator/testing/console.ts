import type { OperatorRole, RouteContract } from '@assay/contract';
import { operatorRoutes } from '@assay/contract/operator';
import { expect } from 'vitest';
import * as z from 'zod/mini';
import { startTestApi } from '../../../testing/api.ts';
import { movableClock } from '../../../testing/clock.ts';
import { addOperator } from '../index.ts';

/** An API with an operator. */
export async function startConsole(role: OperatorRole) {
  const clock = movableClock(new Date());
  const api = await startTestApi({ clock });
  const signUp = async (claims = {}) => {
    const token = await api.tokenFor(claims);
    const { id } = (await api.call('GET', '/users/me', { token })).json();
    return { token, id: id as string };
  };
  const operator = await signUp();
  const order = { actorId: null, reason: 'A test' };
  await addOperator({ db: api.database.db, clock }, order, { userId: operator.id, role });

  /** Calls as the operator, and checks that the answer is as the contract has it. */
  async function call(
    route: RouteContract,
    input: { params?: Record<string, string>; query?: string; body?: unknown } = {},
  ) {
    const { params = {}, query = '', body } = input;
    const path = route.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');
    const answer = await api.call(route.method, `${path}${query}`, { token: operator.token, body });
    if (answer.statusCode >= 400) return answer.json().errors[0].code;
    expect(answer.statusCode).toBe(route.success.status);
    return answer.statusCode === 204 ? null : z.parse(route.success.schema, answer.json());
  }
  const lastAction = async () => (await call(operatorRoutes.listActions)).results[0];
  return { api, clock, operator, signUp, call, lastAction };
}
