import * as z from 'zod/mini';

/** `/config.json`: what one build of the web app learns at run time. */
export const appConfigSchema = z.object({
  stage: z.enum(['production', 'staging']),
  issuer: z.string(),
  client_id: z.string(),
  audience: z.string(),
  /** What the web app asks the issuer for, where it is not the usual. */
  scope: z.optional(z.string()),
  /** Sent as `x-api-key` by the web app; it names the client and opens nothing by itself. */
  client_key: z.string(),
  docs_url: z.string(),
  /** Where page views are posted; none unless the operator says so. */
  analytics_url: z.nullable(z.string()),
});
export type AppConfig = z.output<typeof appConfigSchema>;

/** `/version.json`: a new commit offers 'reload'. */
export const versionSchema = z.object({ version: z.string(), commit: z.string() });
export type Version = z.output<typeof versionSchema>;
