import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify((parameters: Argon2Parameters, done: (error: Error | null, key: Buffer) => void) => {
  argon2('argon2id', parameters, done);
});

// OWASP's password storage cheat sheet, first choice for argon2id: 46 MiB, one pass, one lane. Its other choices trade
// memory for passes at the same strength; this one keeps a busy sign-in page from waiting.
const usualCost = { memory: 46 * 1024, passes: 1, parallelism: 1 };
const keyLength = 32;
const saltLength = 16;

export type PasswordCost = typeof usualCost;

/** The hash in PHC form, so that the cost may change later and old hashes still verify. */
export async function hashPassword(password: string, cost: PasswordCost = usualCost): Promise<string> {
  const salt = randomBytes(saltLength);
  const key = await deriveKey(password, salt, cost);
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(salt)}$${encode(key)}`;
}

export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const parsed = parseHash(hash);
  const key = await deriveKey(password, parsed.salt, parsed.cost);
  return timingSafeEqual(key, parsed.key);
}

/** Costs as much as a real check, so that the answer for an unknown address takes as long as for a known one. */
export async function verifyNothing(password: string, cost: PasswordCost = usualCost): Promise<false> {
  await deriveKey(password, randomBytes(saltLength), cost);
  return false;
}

function deriveKey(
  password: string,
  salt: Buffer,
  { memory, passes, parallelism }: PasswordCost,
): Promise<Buffer> {
  // The same password typed on another keyboard may arrive composed differently.
  const message = password.normalize('NFKC');
  return derive({ message, nonce: salt, memory, passes, parallelism, tagLength: keyLength });
}

function parseHash(hash: string): { cost: PasswordCost; salt: Buffer; key: Buffer } {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash);
  const [, memory, passes, parallelism, salt, key] = match ?? [];
  if (!salt || !key) throw new Error('A stored password hash is not in the expected form.');
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  };
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
