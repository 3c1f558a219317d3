import type { Session } from './session.ts';

/** The address in the session's id token, for showing it; nothing that is decided may depend on it. */
export function emailOf({ id_token }: Pick<Session, 'id_token'>): string | undefined {
  const [, payload = ''] = id_token?.split('.') ?? [];
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (sign) =>
      sign.charCodeAt(0),
    );
    const { email } = JSON.parse(new TextDecoder().decode(bytes)) as { email?: unknown };
    return typeof email === 'string' ? email : undefined;
  } catch {
    return undefined;
  }
}
