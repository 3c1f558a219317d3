import {
  CALL_FIELD_WORDS,
  COMMON_FIELD_WORDS,
  EVENT_WORDS,
  OPERATION_WORDS,
  PARAMETER_WORDS,
  SCHEMA_NAMES,
  SCHEMA_WORDS,
  TAG_WORDS,
} from '@assay/contract/words';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import answers from './answers.json' with { type: 'json' };
import { describeDocument } from './describe-document.ts';
import { namedCalls, type OpenApiDocument, withoutCallsBehindFlag } from './operations.ts';

let api: TestApi;
let raw: OpenApiDocument;
beforeAll(async () => {
  // The stage in which every call of the contract exists.
  api = await startTestApi({ env: { ASSAY_STAGE: 'staging' } });
  raw = api.app.swagger() as OpenApiDocument;
});
afterAll(() => api.close());

interface Described {
  readonly paths: Record<string, Record<string, DescribedOperation>>;
  readonly webhooks: Record<string, { post: { requestBody: unknown } }>;
  readonly components: { readonly schemas: Record<string, { anyOf?: unknown }> };
}
interface DescribedOperation {
  readonly operationId: string;
  readonly requestBody?: { content: Record<string, { schema: { anyOf?: unknown }; example?: unknown }> };
  readonly responses: Record<string, { content?: Record<string, { example?: unknown }> }>;
}
const described = () => describeDocument(raw, answers).document as unknown as Described;

describe('the words of the contract', () => {
  it('has a sentence for every call, parameter and field', () => {
    expect(describeDocument(raw, answers).missing, 'add them to packages/contract/src/words').toEqual([]);
  });

  it('has no sentence without a call, parameter or field', () => {
    const { used } = describeDocument(raw, answers);
    const written = [
      ...Object.keys(OPERATION_WORDS),
      ...Object.keys(PARAMETER_WORDS),
      ...Object.keys(COMMON_FIELD_WORDS),
      ...Object.keys(TAG_WORDS).map((tag) => `tag ${tag}`),
      ...[...Object.entries(SCHEMA_WORDS), ...Object.entries(CALL_FIELD_WORDS)].flatMap(([place, words]) =>
        Object.keys(words).map((field) => (field === '' ? place : `${place}.${field}`)),
      ),
    ];

    expect(
      written.filter((key) => !used.has(key)),
      'remove them from packages/contract/src/words',
    ).toEqual([]);
    expect(Object.keys(described().components.schemas)).toEqual(Object.keys(SCHEMA_NAMES).sort());
  });

  it('is made of sentences: a capital letter or code first, a full stop last', () => {
    const all = [
      OPERATION_WORDS,
      PARAMETER_WORDS,
      COMMON_FIELD_WORDS,
      TAG_WORDS,
      EVENT_WORDS,
      ...Object.values(SCHEMA_WORDS),
      ...Object.values(CALL_FIELD_WORDS),
    ].flatMap((words) => Object.values(words));

    expect(all.filter((text) => !/^[A-Z`].+\.$/.test(text))).toEqual([]);
  });
});

describe('the OpenAPI document', () => {
  const strict = {
    extends: ['recommended-strict'],
    rules: {
      'operation-description': 'error',
      'parameter-description': 'error',
      'tag-description': 'error',
      'no-invalid-media-type-examples': 'error',
      'no-invalid-schema-examples': 'error',
      'no-duplicated-tag-names': 'error',
    },
  } as const;
  const lint = async (document: OpenApiDocument) => {
    const config = await createConfig({ ...strict, extends: [...strict.extends] });
    const problems = await lintFromString({
      source: JSON.stringify(describeDocument(document, answers).document),
      absoluteRef: '/openapi.json',
      config,
    });
    return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
  };

  it('passes a strict linter without a warning, with and without calls behind a flag', async () => {
    expect(await lint(raw)).toEqual([]);
    expect(await lint(withoutCallsBehindFlag(raw))).toEqual([]);
  });

  it('has an id for every call, and each once', () => {
    const ids = Object.values(described().paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );

    expect(ids).toContain('validationsStartSingle');
    expect(ids).toHaveLength(namedCalls.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has examples of bodies, answers and errors, and says which fields are alternatives', () => {
    const start = described().paths['/api/validations/email_validation']?.post;
    const body = start?.requestBody?.content['application/json'];

    expect(body?.example).toEqual({ email_address: 'jane@exists.test' });
    expect(body?.schema.anyOf).toEqual([{ required: ['email_address'] }, { required: ['email'] }]);
    expect(start?.responses['200']?.content?.['application/json']?.example).toMatchObject({
      email_address_status: 'VALID',
    });
    expect(Object.keys(start?.responses ?? {})).toEqual(
      expect.arrayContaining(['400', '401', '402', '403', '409', '429', '503', '4XX', '5XX']),
    );
  });

  it('has every event as a webhook', () => {
    const { webhooks } = described();

    expect(Object.keys(webhooks)).toEqual(Object.keys(EVENT_WORDS));
    expect(webhooks['list.completed']?.post.requestBody).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ListCompletedEvent' } } },
    });
  });

  it('has no schemas of guessing for readers without the flag', () => {
    const { components } = describeDocument(withoutCallsBehindFlag(raw), answers)
      .document as unknown as Described;

    expect(Object.keys(components.schemas).filter((name) => name.startsWith('Guess'))).toEqual([]);
  });
});
