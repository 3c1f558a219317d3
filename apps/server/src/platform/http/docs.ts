import { isOperatorRole, type RouteContract } from '@assay/contract';
import { SCHEMA_NAMES } from '@assay/contract/words';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';

export interface DocsOptions {
  readonly publicUrl: string;
  readonly version: string;
}

const description = `Verify email addresses, one at a time or in lists, and pay in credits. New here? Begin with the [quick start](/docs).

A program sends its key as \`x-api-key\` or as \`Authorization: Bearer\`. The web app sends a bearer token of the signed-in person. Every refusal has the same
shape, and the \`x-trace-id\` header of an answer is what to tell us when you ask about it. Answers carry \`ratelimit-policy\`
and \`ratelimit\` headers, which say how many calls are left until when; wait for \`retry-after\` seconds when refused with 429.`;

/** Names the schemas that many answers share, so that the document refers to them instead of repeating them. */
const schemaRegistry = z.registry<{ id?: string }>();
for (const [id, schema] of Object.entries(SCHEMA_NAMES)) schemaRegistry.add(schema, { id });
/** Other facts about a schema, such as the type of a custom one, are in zod's own registry. */
const zodToJsonConfig = {
  override: ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: object }) => {
    Object.assign(jsonSchema, z.globalRegistry.get(zodSchema));
  },
};
const transform = createJsonSchemaTransform({ schemaRegistry, zodToJsonConfig });

/** Must be called before the routes are registered: `app.swagger()` is the OpenAPI document of the contract's routes. */
export async function addOpenApi(app: FastifyInstance, { publicUrl, version }: DocsOptions): Promise<void> {
  await app.register(import('@fastify/swagger'), {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Assay API',
        version,
        description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'The access token of a signed-in person, or an API key.',
          },
          apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key.' },
        },
      },
    },
    transform: (input) => {
      const contract = input.route.config?.contract;
      if (!contract || isOperatorRole(contract.auth)) return { schema: { hide: true }, url: input.url };
      return transform({
        ...input,
        schema: { ...input.schema, ...documentedParts(contract) },
      } as typeof input);
    },
    transformObject: createJsonSchemaTransformObject({ schemaRegistry, zodToJsonConfig }),
  });
}

const idempotencyHeaders = z.object({
  'idempotency-key': z.optional(
    z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(255),
        z.describe('Any text of your own. The same call with the same key is done once, and answered alike.'),
      ),
  ),
});

function documentedParts({ auth, keyScope, multipart, isForm, body, takesIdempotencyKey }: RouteContract) {
  const scopes = keyScope && keyScope !== 'any' ? [keyScope] : [];
  const security = {
    public: [],
    user: [{ bearer: [] }],
    user_or_key: [{ bearer: [] }, { apiKey: scopes }],
    support: [],
    admin: [],
  }[auth];
  return {
    security,
    ...(takesIdempotencyKey && { headers: idempotencyHeaders }),
    ...(multipart && { consumes: ['multipart/form-data'], body }),
    ...(isForm && { consumes: ['application/x-www-form-urlencoded'] }),
  };
}
