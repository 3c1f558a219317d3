import { callAdmin, textOf, unexpectedAnswer } from './admin-call.ts';
import type { IdentityAdmin, IdentityAdminOptions } from './identity-admin.ts';

/**
 * Auth0's Management API. Its application may use the grants Client Credentials and Password, and the scopes
 * `update:users`, `update:users_app_metadata`, `delete:users`, `delete:sessions` and `delete:refresh_tokens`. Auth0 has no required actions: the flag that is set here
 * is acted upon by the two Actions in docs/identity-providers.md.
 */
export function createAuth0Admin({
  url,
  clientId,
  clientSecret,
  connection,
}: Omit<IdentityAdminOptions, 'kind'>): IdentityAdmin {
  const tenant = new URL(url).origin;
  const userUrl = (subject: string) => `${tenant}/api/v2/users/${encodeURIComponent(subject)}`;

  const askForToken = (fields: Record<string, string>) =>
    callAdmin({
      method: 'POST',
      url: `${tenant}/oauth/token`,
      body: { client_id: clientId, client_secret: clientSecret, ...fields },
    });

  async function adminToken(): Promise<string> {
    const answer = await askForToken({
      grant_type: 'client_credentials',
      audience: `${tenant}/api/v2/`,
    });
    if (answer.status !== 200) throw unexpectedAnswer('token', answer);
    return textOf(answer.body.access_token);
  }

  const updateUser = async (subject: string, body: object) =>
    callAdmin({ method: 'PATCH', url: userUrl(subject), token: await adminToken(), body });

  return {
    security: null,

    async checkAccess() {
      await adminToken();
    },

    async requireNewPassword(subject) {
      const answer = await updateUser(subject, { app_metadata: { must_change_password: true } });
      if (answer.status !== 200) throw unexpectedAnswer('update user', answer);
    },

    async checkPassword({ address, password }) {
      const answer = await askForToken({
        grant_type: 'http://auth0.com/oauth/grant-type/password-realm',
        realm: connection,
        username: address,
        password,
      });
      if (answer.status === 200) return 'right';
      // The Action that asks for a new password cannot ask in this grant, which then ends with this error.
      if (answer.body.error === 'interaction_required') return 'expired';
      if (answer.body.error !== 'invalid_grant') throw unexpectedAnswer('check password', answer);
      return 'wrong';
    },

    async setPassword(subject, password) {
      const answer = await updateUser(subject, { password, connection });
      if (answer.status === 200) return { isTaken: true };
      if (answer.status !== 400) throw unexpectedAnswer('set password', answer);
      return { isTaken: false, why: textOf(answer.body.message) };
    },

    /** All of them: which one is the caller's own is not known here, so they sign in again. */
    async endSessions(subject) {
      const token = await adminToken();
      for (const kind of ['refresh-tokens', 'sessions']) {
        const answer = await callAdmin({ method: 'DELETE', url: `${userUrl(subject)}/${kind}`, token });
        const isDone = [202, 204, 404].includes(answer.status);
        if (!isDone) throw unexpectedAnswer(`end ${kind}`, answer);
      }
      return { isKept: false };
    },

    async deleteUser(subject) {
      const answer = await callAdmin({ method: 'DELETE', url: userUrl(subject), token: await adminToken() });
      if (answer.status !== 204 && answer.status !== 404) throw unexpectedAnswer('delete user', answer);
    },
  };
}
