import { API_BASE } from '@assay/contract';
import { createRandom, type Random } from '../support/random.ts';
import { brokenForm, goodForm } from './forms.ts';
import { largeJson, oddBodies, oddContentTypes, oddJson, oddNames, oddTexts } from './odd-values.ts';
import { type Operation, operations, parametersOf } from './operations.ts';
import { rawRequest } from './raw-requests.ts';
import type { AttackRequest, Caller, HttpRequest } from './request.ts';
import { sampleOf, type Told, uuidOf } from './samples.ts';
import { strayRequest } from './stray-requests.ts';

/** Request number `index` of a seed: the same on every machine, except for ids that the product returned. */
export function generateRequest(seed: number, index: number, told: Told): AttackRequest {
  const random = createRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  // The operations in turn, so that even a short run includes each.
  const operation = operations[index % operations.length] as Operation;
  const share = random.share();
  if (share < 0.06) return rawRequest(random);
  if (share < 0.12) return strayRequest(random, told);
  const call = goodCall(operation, random, told);
  if (share < 0.27) return requestOf(call, 'nothing odd', random);
  if (share < 0.37 || operation.route.multipart) return withOddBody(call, random);
  return withOddValues(call, random);
}

/** The encoded parts of a call. */
export interface Call {
  readonly operation: Operation;
  readonly params: Map<string, string>;
  readonly query: (readonly [name: string, text: string])[];
  /** Fields of the body, as JSON. */
  readonly body: Map<string, string>;
}

/** A call that should succeed. */
export function goodCall(operation: Operation, random: Random, told: Told): Call {
  const collections = parametersOf(operation.route.path);
  const params = Object.entries(operation.params).map(([name, shape]) => {
    const collection = collections.find((parameter) => parameter.name === name)?.collection ?? '';
    const [first, ...rest] = told.get(collection) ?? [];
    const value = first === undefined ? sampleOf(name, shape, random, told) : random.oneOf([first, ...rest]);
    return [name, encodeURIComponent(String(value))] as const;
  });
  const isWanted = (name: string) => operation.requiredFields.has(name) || random.share() < 0.4;
  const query = Object.entries(operation.query)
    .filter(([name]) => isWanted(name))
    .flatMap(([name, shape]) =>
      [sampleOf(name, shape, random, told)]
        .flat()
        .map((value) => [name, encodeURIComponent(String(value))] as const),
    );
  const body = Object.entries(operation.body)
    .filter(([name, shape]) => isWanted(name) && shape.format !== 'binary')
    .map(([name, shape]) => [name, JSON.stringify(sampleOf(name, shape, random, told))] as const);
  return { operation, params: new Map(params), query, body: new Map(body) };
}

function withOddValues(call: Call, random: Random): HttpRequest {
  const changes: string[] = [];
  const { params, body } = call;
  const query = [...call.query];
  const places: (() => void)[] = [
    ...[...params.keys()].map((name) => () => {
      params.set(name, random.oneOf(oddTexts));
      changes.push(`odd ${name}`);
    }),
    ...Object.keys(call.operation.query).map((name) => () => {
      query.push([name, random.oneOf(oddTexts)]);
      changes.push(`odd ${name}`);
    }),
    ...Object.keys(call.operation.body).map((name) => () => {
      const isLarge = call.operation.route.bodyBytesMax !== undefined && random.share() < 0.2;
      body.set(name, isLarge ? random.oneOf(largeJson)() : random.oneOf(oddJson));
      changes.push(`odd ${name}`);
    }),
    () => {
      query.push([encodeURIComponent(random.oneOf(oddNames)), random.oneOf(oddTexts)]);
      changes.push('odd query');
    },
    () => {
      body.set(random.oneOf(oddNames), random.oneOf(oddJson));
      changes.push('odd field');
    },
    () => {
      for (const name of body.keys()) body.delete(name);
      changes.push('no fields');
    },
  ];
  const [first, ...rest] = places as [() => void, ...(() => void)[]];
  for (let count = random.between(1, 3); count > 0; count -= 1) random.oneOf([first, ...rest])();
  return requestOf({ ...call, query }, changes.join(', '), random);
}

/** A wrong body: another type, no JSON, a broken form. */
function withOddBody(call: Call, random: Random): HttpRequest {
  const request = requestOf(call, '', random);
  if (call.operation.route.multipart || random.share() < 0.2) {
    const { what, contentType, body } = brokenForm(random);
    return { ...request, what, body, headers: { ...request.headers, 'content-type': contentType } };
  }
  const isOddType = random.share() < 0.5;
  const contentType = isOddType ? random.oneOf(oddContentTypes) : 'application/json';
  const body = Buffer.from(isOddType ? '{"a":1}' : random.oneOf(oddBodies));
  return {
    ...request,
    what: isOddType ? 'an odd content type' : 'an odd body',
    method: request.method === 'GET' ? 'POST' : request.method,
    operation: request.method === 'GET' ? null : request.operation,
    body,
    headers: { ...request.headers, 'content-type': contentType },
  };
}

/** The call without columns: random ones may name cells of the file that hold nothing useful. */
export function withDetectedColumns(call: Call): Call {
  const body = new Map([...call.body].filter(([name]) => !name.endsWith('_column')));
  return { ...call, body };
}

/** Builds the request of a call. */
export function requestOf(call: Call, what: string, random: Random): HttpRequest {
  const { route } = call.operation;
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => call.params.get(name) ?? '');
  const search = call.query.map(([name, text]) => `${name}=${text}`).join('&');
  const { contentType, body } = bodyOf(call, random);
  return {
    kind: 'http',
    what,
    operation: call.operation,
    caller: callerOf(call.operation, random),
    method: route.method,
    path: `${API_BASE}${path}${search && `?${search}`}`,
    headers: {
      ...(contentType && { 'content-type': contentType }),
      ...(route.takesIdempotencyKey && random.share() < 0.3 && { 'idempotency-key': uuidOf(random) }),
    },
    ...(body && { body }),
  };
}

function bodyOf({ operation, body }: Call, random: Random): { contentType?: string; body?: Buffer } {
  const { route } = operation;
  if (route.multipart) return formOf(body, random);
  if (body.size === 0 && !route.body) return {};
  if (route.isForm) {
    const pairs = [...body].map(([name, json]) => `${encodeURIComponent(name)}=${encodeURIComponent(json)}`);
    return { contentType: 'application/x-www-form-urlencoded', body: Buffer.from(pairs.join('&')) };
  }
  const fields = [...body].map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  return { contentType: 'application/json', body: Buffer.from(`{${fields.join()}}`) };
}

/** A call with a known upload id does not send the file again. */
function formOf(body: ReadonlyMap<string, string>, random: Random) {
  const fields = [...body].map(([name, json]) => [name, String(JSON.parse(json))] as const);
  const isSent = !body.has('upload_id') || random.share() < 0.5;
  const sent = isSent ? fields.filter(([name]) => name !== 'upload_id') : fields;
  return goodForm(sent, isSent ? 'name,email,domain\r\nJane Doe,jane@exists.test,dotted.test\r\n' : null);
}

function callerOf({ route }: Operation, random: Random): Caller {
  const share = random.share();
  if (share < 0.03) return 'nobody';
  return route.auth === 'user_or_key' && share < 0.3 ? 'key' : 'bearer';
}
