import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { assayProgram } from '../../support/product-process.ts';
import { assay } from '../support/assay-command.ts';
import { newCustomer } from '../support/customer.ts';

/** Runs `assay` in a process of its own, as a terminal does. That takes a second of a processor, so a few tests do. */
async function assayInShell(...words: string[]): Promise<string> {
  const { dataFolder, port } = inject('product');
  const { stdout } = await promisify(execFile)(process.execPath, [assayProgram, ...words], {
    env: { ...process.env, ASSAY_DATA: dataFolder, PORT: String(port) },
  });
  return stdout;
}

describe('the assay command beside the running product', () => {
  it('prints a token with which a shell reads users/me and billing/me', async () => {
    const token = (await assayInShell('token', '--email', 'demo@assay.test')).trim();
    const read = async (path: string) => {
      const answer = await fetch(`${inject('product').url}/api${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return answer.json();
    };

    expect(await read('/users/me')).toMatchObject({ email_address: 'demo@assay.test', first_name: 'Dana' });
    expect(await read('/billing/me')).toMatchObject({ subscription: { plan: { code: 'FREE' } } });
  });

  it('verifies in the terminal, with what each address is and why', async () => {
    const printed = await assayInShell(
      'verify',
      'jane@exists.test',
      'nobody@exists.test',
      '--format',
      'jsonl',
    );
    const verdicts = printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

    expect(verdicts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ email: 'jane@exists.test', result: 'VALID', reason: 'mailbox_accepted' }),
        expect.objectContaining({
          email: 'nobody@exists.test',
          result: 'INVALID',
          reason: 'no_such_mailbox',
        }),
      ]),
    );
  });

  it('shows a customer, switches a flag, throttles them and audits the ledger', async () => {
    const { email } = (await newCustomer()).person;

    expect(await assay('users', 'show', '--email', email)).toContain(email);
    await assay('users', 'flag', '--email', email, 'guessing_enabled', 'on', '--reason', 'A test');
    expect(await assay('users', 'show', '--email', email)).toMatch(/guessing_enabled.*(on|true)/);
    await assay('users', 'standing', '--email', email, 'throttled', '--reason', 'A test');
    expect(await assay('ledger', 'audit')).toMatch(/agrees/);
  });

  it('names an unknown command and lists the known ones', async () => {
    await expect(assayInShell('vrify')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no command 'vrify'"),
    });
  });
});
