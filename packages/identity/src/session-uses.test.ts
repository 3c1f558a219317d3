import { expect, it } from 'vitest';
import { buildPerson, exchangeCode, signUp, startTestIdentity } from './testing/test-identity.ts';

it('tokens are given out although the use of the session could not be noted, and the operator learns of it', async () => {
  const identity = await startTestIdentity();
  const { page, verifier } = await signUp(identity, identity.visitor(), buildPerson());
  await identity.query(
    `CREATE FUNCTION identity.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no note'; END $$`,
  );
  await identity.query(
    `CREATE TRIGGER refuse BEFORE UPDATE OF used_at ON identity.records FOR EACH ROW EXECUTE FUNCTION identity.refuse()`,
  );

  const { status, body } = await exchangeCode(identity, page, verifier);
  await identity.close();

  expect(status).toBe(200);
  expect(body.refresh_token).toBeTypeOf('string');
  expect(identity.faults.map(({ message }) => message)).toEqual(['no note']);
});
