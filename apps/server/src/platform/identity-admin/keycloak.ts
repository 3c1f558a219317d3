import { type AdminAnswer, callAdmin, textOf, unexpectedAnswer } from './admin-call.ts';
import type {
  IdentityAdmin,
  IdentityAdminOptions,
  ProviderFactor,
  ProviderSession,
} from './identity-admin.ts';

const newPasswordAction = 'UPDATE_PASSWORD';

/**
 * Keycloak's admin REST. Its client is confidential, with service account and direct access grants, and the roles
 * `manage-users` and `view-users` of `realm-management`.
 */
export function createKeycloakAdmin({
  url,
  clientId,
  clientSecret,
  webClientId,
}: Omit<IdentityAdminOptions, 'kind' | 'connection'>): IdentityAdmin {
  const realm = url.replace(/\/$/, '');
  const tokenUrl = `${realm}/protocol/openid-connect/token`;
  // https://host/realms/name has its administration at https://host/admin/realms/name.
  const adminUrl = realm.replace(/\/realms\/([^/]+)$/, '/admin/realms/$1');
  const userUrl = (subject: string) => `${adminUrl}/users/${encodeURIComponent(subject)}`;

  const askForToken = (fields: Record<string, string>) =>
    callAdmin({
      method: 'POST',
      url: tokenUrl,
      body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...fields }),
    });

  /** Short-lived and asked for each time: these calls are rare, and a token that is not kept cannot leak. */
  async function adminToken(): Promise<string> {
    const answer = await askForToken({ grant_type: 'client_credentials' });
    if (answer.status !== 200) throw unexpectedAnswer('token', answer);
    return textOf(answer.body.access_token);
  }

  /** The things behind an address; none for a user who is gone. */
  async function list(call: string, url: string, token: string): Promise<AdminAnswer['items']> {
    const answer = await callAdmin({ method: 'GET', url, token });
    if (answer.status !== 200 && answer.status !== 404) throw unexpectedAnswer(call, answer);
    return answer.items;
  }

  /** What is gone already is no complaint. */
  async function remove(call: string, url: string, token: string): Promise<void> {
    const answer = await callAdmin({ method: 'DELETE', url, token });
    if (answer.status !== 204 && answer.status !== 404) throw unexpectedAnswer(call, answer);
  }

  const removeSession = (id: string, token: string) =>
    remove('end session', `${adminUrl}/sessions/${encodeURIComponent(id)}`, token);

  return {
    async checkAccess() {
      await adminToken();
    },

    async requireNewPassword(subject) {
      const token = await adminToken();
      const found = await callAdmin({ method: 'GET', url: userUrl(subject), token });
      if (found.status !== 200) throw unexpectedAnswer('get user', found);
      // The whole user goes back: newer versions take a field that is not mentioned for one to be cleared.
      const earlier = Array.isArray(found.body.requiredActions) ? found.body.requiredActions : [];
      const requiredActions = [...new Set([...earlier, newPasswordAction])];
      const body = { ...found.body, requiredActions };
      const changed = await callAdmin({ method: 'PUT', url: userUrl(subject), token, body });
      if (changed.status !== 204) throw unexpectedAnswer('update user', changed);
    },

    async checkPassword({ address, password }) {
      const answer = await askForToken({ grant_type: 'password', username: address, password });
      if (answer.status === 200) return 'right';
      if (answer.body.error !== 'invalid_grant') throw unexpectedAnswer('check password', answer);
      // Keycloak answers 400 'Account is not fully set up' while an action is required, and 401 to a wrong password.
      return answer.status === 400 ? 'expired' : 'wrong';
    },

    async setPassword(subject, password) {
      const answer = await callAdmin({
        method: 'PUT',
        url: `${userUrl(subject)}/reset-password`,
        token: await adminToken(),
        body: { type: 'password', value: password, temporary: false },
      });
      if (answer.status === 204) return { isTaken: true };
      if (answer.status !== 400) throw unexpectedAnswer('set password', answer);
      return { isTaken: false, why: textOf(answer.body.error_description) };
    },

    async endSessions(subject, { keep }) {
      const token = await adminToken();
      if (keep === null) {
        // Also moves the user's "not before", which ends refresh tokens that belong to no session of theirs.
        const answer = await callAdmin({ method: 'POST', url: `${userUrl(subject)}/logout`, token });
        if (answer.status !== 204 && answer.status !== 404) throw unexpectedAnswer('log out', answer);
        return { isKept: false };
      }
      const found = await callAdmin({ method: 'GET', url: `${userUrl(subject)}/sessions`, token });
      if (found.status !== 200) throw unexpectedAnswer('list sessions', found);
      const others = found.items.map(({ id }) => textOf(id)).filter((id) => id !== '' && id !== keep);
      for (const id of others) await removeSession(id, token);
      // Offline tokens outlive sessions and are not in the list. There are none unless the realm hands them out.
      const consent = `${userUrl(subject)}/consents/${encodeURIComponent(webClientId)}`;
      await remove('revoke offline', consent, token);
      return { isKept: true };
    },

    async deleteUser(subject) {
      await remove('delete user', userUrl(subject), await adminToken());
    },

    security: {
      async findSessions(subject) {
        const sessions = await list('list sessions', `${userUrl(subject)}/sessions`, await adminToken());
        return sessions.filter(({ id }) => textOf(id) !== '').map(sessionOf);
      },

      async endSession(sessionId) {
        await removeSession(sessionId, await adminToken());
      },

      async findSecondFactors(subject) {
        const url = `${userUrl(subject)}/credentials`;
        const credentials = await list('list credentials', url, await adminToken());
        return credentials.flatMap(factorsOf);
      },

      async removeSecondFactors(subject) {
        const token = await adminToken();
        const url = `${userUrl(subject)}/credentials`;
        for (const { id, type } of await list('list credentials', url, token)) {
          if (textOf(type) in factorKinds)
            await remove('remove credential', `${url}/${encodeURIComponent(textOf(id))}`, token);
        }
      },
    },
  };
}

/** What Keycloak calls the credentials that are no password. */
const factorKinds: Readonly<Record<string, ProviderFactor['kind']>> = {
  otp: 'authenticator',
  webauthn: 'passkey',
  'webauthn-passwordless': 'passkey',
  'recovery-authn-codes': 'recovery_codes',
};

/** None for a password. */
function factorsOf({ type, userLabel, createdDate }: AdminAnswer['body']): ProviderFactor[] {
  const kind = factorKinds[textOf(type)];
  const createdAt = typeof createdDate === 'number' ? new Date(createdDate) : null;
  return kind ? [{ kind, name: textOf(userLabel) || null, createdAt }] : [];
}

/** Keycloak itself does not tell the browser; the embedded provider does. */
const sessionOf = ({
  id,
  userAgent,
  ipAddress,
  start,
  lastAccess,
}: AdminAnswer['body']): ProviderSession => ({
  id: textOf(id),
  agent: textOf(userAgent) || null,
  address: textOf(ipAddress) || null,
  startedAt: momentOf(start),
  usedAt: momentOf(lastAccess),
});

const momentOf = (value: unknown): Date => new Date(typeof value === 'number' ? value : 0);
