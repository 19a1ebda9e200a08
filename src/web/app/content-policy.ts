// Settings that the libraries need for the content security policy before they run. The bundler does not
// guarantee the order of its chunks, so the settings are globals, set before any chunk loads.

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (text: string) => string | null }): unknown;
}

// The policy forbids code from strings; zod would try it and log an error.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

// Mantine sets style sheets as HTML, so this policy rejects any text that could create an element.
(globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('default', {
  createHTML: (text) => (text.includes('<') ? null : text),
});
