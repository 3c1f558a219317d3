// The only script of these pages: passkeys, which no form can ask for, and copying. Without it, everything else works.

const canUsePasskeys =
  typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function' &&
  typeof globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON === 'function';

async function askForPasskey({ use, make }) {
  const credential = use
    ? await navigator.credentials.get({
        publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(use)),
      })
    : await navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(make)),
      });
  return JSON.stringify(credential.toJSON());
}

const problems = {
  InvalidStateError: 'This device has a passkey for this account already.',
  NotAllowedError: 'No passkey was used: it was cancelled, or it took too long. Try again.',
};

for (const form of canUsePasskeys ? document.querySelectorAll('form.passkey') : []) {
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const alert = form.querySelector('[role="alert"]');
    alert.hidden = true;
    try {
      form.elements.passkey.value = await askForPasskey(form.dataset);
      form.submit();
    } catch (error) {
      alert.textContent =
        problems[error.name] ?? 'The passkey did not work here. Try again, or use another way.';
      alert.hidden = false;
    }
  });
}

for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = 'Copied';
  });
}
