@echo off
rem Double-click: opens the workbench. The first time it makes the environment and installs.
chcp 65001 >nul
setlocal
cd /d "%~dp0"
set "PY="
for %%P in ("py -3" "python" "python3") do (
  if not defined PY (
    %%~P -c "import sys; sys.exit(sys.version_info < (3, 11))" >nul 2>nul && set "PY=%%~P"
  )
)
if not defined PY (
  echo Python 3.11 以上が見つかりません。https://www.python.org/downloads/ から入れて、もう一度ダブルクリックしてください。
  echo Python 3.11 or newer is missing. Install it from https://www.python.org/downloads/ and double-click again.
  pause
  exit /b 1
)
.venv\Scripts\python.exe -m exporter serve --help >nul 2>nul && goto open
echo 初回の準備をしています（1分ほど）… / Getting ready, about a minute ...
%PY% -m venv .venv && .venv\Scripts\python.exe -m pip install --quiet --disable-pip-version-check -e . && goto open
echo 準備ができませんでした。インターネットにつながっているか確かめて、もう一度ダブルクリックしてください。
echo It could not be made ready. Check the connection to the internet and double-click again.
pause
exit /b 1
:open
.venv\Scripts\python.exe -m exporter serve %*
if errorlevel 1 pause
