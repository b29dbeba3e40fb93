/** The same as the server's: at least 8 characters, letters and digits. The server has the last word. */
export function isStrongPassword(password: string): boolean {
  return password.length >= 8 && /[A-Za-z]/.test(password) && /\d/.test(password)
}
