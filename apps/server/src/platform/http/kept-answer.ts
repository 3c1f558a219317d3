import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const packers = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const;
type Encoding = keyof typeof packers;

/** An answer that stays the same: compressed once and not for each reader, who asks by its tag whether it changed. */
export class KeptAnswer {
  readonly #type: string;
  readonly #body: Buffer;
  readonly #tag: string;
  readonly #packed = new Map<Encoding, Promise<Buffer>>();

  constructor(type: string, body: string | Buffer) {
    this.#type = type;
    this.#body = Buffer.from(body);
    // Weak, because it names the text in every encoding.
    this.#tag = `W/"${createHash('sha256').update(this.#body).digest('base64url').slice(0, 22)}"`;
  }

  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    headers: Record<string, string>,
  ): Promise<FastifyReply> {
    const vary = [headers.vary, 'accept-encoding'].filter(Boolean).join(', ');
    reply.headers({ ...headers, vary, etag: this.#tag });
    if (tagsIn(request.headers['if-none-match']).includes(this.#tag)) return reply.code(304).send();
    reply.type(this.#type);
    const encoding = encodingFor(request);
    if (!encoding) return reply.send(this.#body);
    return reply.header('content-encoding', encoding).send(await this.#pack(encoding));
  }

  #pack(encoding: Encoding): Promise<Buffer> {
    let packed = this.#packed.get(encoding);
    if (!packed) {
      packed = packers[encoding](this.#body);
      // The next reader tries again.
      packed.catch(() => this.#packed.delete(encoding));
      this.#packed.set(encoding, packed);
    }
    return packed;
  }
}

const tagsIn = (header: string | undefined): string[] => (header ?? '').split(',').map((tag) => tag.trim());

/** The best encoding that the client takes; none if it names neither. */
function encodingFor({ headers }: FastifyRequest): Encoding | undefined {
  const taken = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(';'))
    .filter(([, quality]) => !/^ *q=0(?:\.0*)?$/.test(quality ?? ''))
    .map(([name]) => name);
  return (['br', 'gzip'] as const).find((encoding) => taken.includes(encoding));
}
