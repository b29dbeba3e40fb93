// Runs before the first paint, so that a stored dark appearance does not flash white. The content security policy
// allows no inline script, therefore a file. The keys are those of src/app/appearance.ts and src/app/locale.ts.
try {
  const appearance = localStorage.getItem('appearance')
  const dark = appearance === 'dark' || (appearance !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  if (localStorage.getItem('i18n-locale') === 'en-US') document.documentElement.lang = 'en-US'
} catch {
  document.documentElement.dataset.theme = 'light'
}
