import * as z from 'zod/mini';

/** `/config.json`: settings that the web app reads at run time. */
export const appConfigSchema = z.object({
  stage: z.enum(['production', 'staging']),
  issuer: z.string(),
  client_id: z.string(),
  audience: z.string(),
  /** The scope that the web app requests from the issuer, if it differs from the default. */
  scope: z.optional(z.string()),
  /** The issuer's pages on which people see to their second step; absent if we do not know them. */
  account_url: z.optional(z.string()),
  /** Sent as `x-api-key` by the web app; it names the client and grants nothing. */
  client_key: z.string(),
  docs_url: z.string(),
  /** Where page views are posted; null without analytics. */
  analytics_url: z.nullable(z.string()),
});
export type AppConfig = z.output<typeof appConfigSchema>;

/**
 * A cookie of the web app for `/docs`: this reader has the flag `guessing_enabled`, so the reference shows its calls. It
 * grants nothing: the calls themselves check the flag.
 */
export const GUESSING_DOCS_COOKIE = { name: 'assay_guessing_docs', value: 'on', path: '/docs' } as const;

/** `/version.json`: a new commit offers 'reload'. */
export const versionSchema = z.object({ version: z.string(), commit: z.string() });
export type Version = z.output<typeof versionSchema>;
