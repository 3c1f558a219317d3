import { API_BASE, errorAnswerSchema } from '@assay/contract';
import { successStatuses } from './operations.ts';
import type { AttackRequest, HttpRequest } from './request.ts';
import type { Answer } from './send.ts';

const bytesMax = 1024 * 1024;
/** Files that are large on purpose. */
const largeOnPurpose = /^\/assets\//;

/** The rules that an answer breaks, as text. */
export function judge(request: AttackRequest, answers: readonly Answer[]): string[] {
  if (answers.length === 0)
    return request.kind === 'raw' && request.expects === 'nothing' ? [] : ['no answer came'];
  return answers.flatMap((answer) => [...judgeAny(request, answer), ...judgeShape(request, answer)]);
}

function judgeAny(request: AttackRequest, { status, body }: Answer): string[] {
  const faults: string[] = [];
  if (status >= 500) faults.push(`status ${status}: ${body.toString().slice(0, 300)}`);
  const isMeant = request.kind === 'http' && (largeOnPurpose.test(request.path) || isDownload(request));
  if (body.length > bytesMax && !isMeant) faults.push(`an answer of ${body.length} bytes`);
  return faults;
}

const isDownload = ({ path }: HttpRequest): boolean => path.includes('/exports?order=');

function judgeShape(request: AttackRequest, answer: Answer): string[] {
  const { status, body } = answer;
  if (status >= 500) return [];
  const operation = request.kind === 'http' ? request.operation : null;
  if (operation && status < 400) {
    if (!successStatuses(operation.route).includes(status))
      return [`status ${status}, which the contract does not have`];
    if (status === 204) return body.length === 0 ? [] : ['204 with a body'];
    return mismatch(operation.route.success.schema, body);
  }
  const isOurs =
    request.kind === 'raw' ? request.expects !== 'handshake' : request.path.startsWith(`${API_BASE}/`);
  if (!isOurs || status < 400 || (request.kind === 'http' && request.method === 'HEAD')) return [];
  return [...mismatch(errorAnswerSchema, body), ...judgeError(answer)];
}

function judgeError({ status, headers, body }: Answer): string[] {
  const [error] = (parse(body) as { errors?: Record<string, unknown>[] } | undefined)?.errors ?? [];
  if (!error) return [];
  if (error.http_status !== status) return [`http_status ${error.http_status} in an answer of ${status}`];
  return error.trace_id === headers['x-trace-id'] ? [] : ['a trace_id that is not that of the header'];
}

interface Schema {
  safeParse(data: unknown): { success: boolean; error?: { message: string } };
}

function mismatch(schema: Schema, body: Buffer): string[] {
  const data = parse(body);
  if (data === undefined) return [`no JSON: ${body.toString().slice(0, 200)}`];
  const { success, error } = schema.safeParse(data);
  return success
    ? []
    : [`not as the contract has it: ${error?.message.slice(0, 300)} in ${body.toString().slice(0, 300)}`];
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
